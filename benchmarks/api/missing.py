"""What only HTTP can name wrongly: a path, or a method on one."""

from benchmarks.errors import UnknownTool


class UnknownRoute(UnknownTool):
    """A path of the API that does not exist."""

    status = 404


class UnknownMethod(UnknownTool):
    """A method that a path of the API does not take."""

    status = 405
