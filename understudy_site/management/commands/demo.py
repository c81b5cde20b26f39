from understudy_site.management.noun import NounCommand


class Command(NounCommand):
    help = "understudy demo ..."
    noun = "demo"
