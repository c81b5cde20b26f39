from understudy_site.management.noun import NounCommand


class Command(NounCommand):
    help = "understudy hub ..."
    noun = "hub"
