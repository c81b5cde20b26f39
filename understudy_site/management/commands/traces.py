from understudy_site.management.noun import NounCommand


class Command(NounCommand):
    help = "understudy traces ..."
    noun = "traces"
