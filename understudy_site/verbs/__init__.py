"""The verbs of this app, as a static table: `understudy --help` reads it and imports nothing."""

from benchmarks.verbs import VerbEntry

VERBS: tuple[VerbEntry, ...] = (
    VerbEntry(
        "benchmarks",
        "mcp",
        "Serve the benchmarks to a coding agent over MCP, on stdin and stdout.",
        "understudy_site.mcp.launch:main",
        starts_itself=True,
    ),
    VerbEntry(
        "hub",
        "serve",
        "Serve the admin and the API of this home; no model is run.",
        "understudy_site.verbs.hub_serve:Serve",
    ),
    VerbEntry(
        "demo",
        "",
        "The whole job on bundled captures: no key, no network, under a minute.",
        "understudy_site.verbs.demo:Demo",
    ),
)
