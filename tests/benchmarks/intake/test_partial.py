import json
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.intake import ingest as ingesting
from benchmarks.intake.gathering import Gathering
from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from benchmarks.intake.partial import Partial
from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.taking import Lost
from tests.benchmarks.intake.made import capture, line

NOW = datetime(2026, 11, 2, tzinfo=UTC)
KEY = "sk-" + "a1b2c3d4e5" * 3
DATA_URL = "data:image/png;base64,aGVsbG8="


def call(number: int, **changes: Any) -> dict[str, Any]:
    said = [{"type": "text", "text": f"hi {number} {KEY}"}, {
        "type": "image_url", "image_url": {"url": DATA_URL},
    }]  # fmt: skip
    tools = [{"type": "function", "function": {"name": f"tool_{number % 3}"}}]
    return {
        "id": f"r{number}",
        "request": {"messages": [{"role": "user", "content": said}], "tools": tools},
        "response": {"id": f"a{number}", "choices": [{"message": {"content": f"ho {number}"}}]},
        **changes,
    }


def code(number: int) -> dict[str, Any]:
    kind = "user" if number % 2 else "assistant"
    message = {"role": kind, "content": f"line {number}"}
    return {
        "sessionId": f"s{number // 4}", "uuid": f"u{number}", "type": kind, "message": message,
        "parentUuid": f"u{number - 1}" if number % 4 > 1 else None,
    }  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Calls, sessions, a file of several conversations, repeats, and lines that are nothing."""
    folder = tmp_path / "source"
    folder.mkdir()
    lines = [json.dumps(call(number)) for number in range(30)]
    lines[7] = "{broken"
    lines[9] = '{"a": 1}'
    lines[20] = lines[3]
    (folder / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "b.jsonl").write_text("\n".join(json.dumps(code(n)) for n in range(1, 12)))
    (folder / "c.json").write_text(json.dumps([call(number) for number in range(25, 40)]))
    return folder


@pytest.fixture(autouse=True)
def _every_pass_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingesting, "PARTIAL_FROM", 0)


def read(source: Path, partial: Path | None = None, **changes: Any) -> Intake:
    return ingest([source], options=IntakeOptions(now=NOW, partial=partial, **changes))


def shown(intake: Intake) -> tuple[list[bytes], Any, list[Dropped], dict[str, bytes]]:
    return list(intake.lines()), intake.report, intake.dropped, dict(intake.blobs)


class Killed(BaseException):
    pass


def killed_after(monkeypatch: pytest.MonkeyPatch, items: int, source: Path, partial: Path) -> None:
    """A pass that ends when it has taken so many items in, whatever it was doing."""
    taken = 0
    take = Gathering.take

    def counted(self: Gathering, item: Any) -> None:
        nonlocal taken
        taken += 1
        if taken > items:
            raise Killed
        take(self, item)

    with monkeypatch.context() as patch:
        patch.setattr(Gathering, "take", counted)
        with pytest.raises(Killed):
            read(source, partial)


@pytest.mark.parametrize("items", [0, 1, 2, 8, 21, 33, 50, 58])
def test_a_killed_pass_goes_on_to_the_same_end(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, items: int
) -> None:
    partial = tmp_path / "p.part"
    killed_after(monkeypatch, items, source, partial)
    again = read(source, partial)
    assert shown(again) == shown(read(source))
    again.forget()
    assert not partial.exists()


def test_what_was_kept_is_not_read_again(source: Path, tmp_path: Path) -> None:
    partial = tmp_path / "p.part"
    first = read(source, partial)
    assert first.partial is not None
    first.partial.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchmarks.intake.taking.read_call", None)
        patch.setattr("benchmarks.intake.taking.name_of_other", None)
        # The works of the tail, a session, are done again; no call and no other record is.
        again = read(source, partial)
    assert shown(again) == shown(first)
    again.forget()


@pytest.mark.parametrize("cut", [1, 9, 40, 500])
def test_a_torn_tail_is_cut(source: Path, tmp_path: Path, cut: int) -> None:
    partial = tmp_path / "p.part"
    whole = read(source, partial)
    assert whole.partial is not None
    whole.partial.close()
    partial.write_bytes(partial.read_bytes()[:-cut])
    again = read(source, partial)
    assert shown(again) == shown(whole)
    again.forget()


def test_damage_costs_what_stands_behind_it(source: Path, tmp_path: Path) -> None:
    partial = tmp_path / "p.part"
    whole = read(source, partial)
    assert whole.partial is not None
    whole.partial.close()
    data = bytearray(partial.read_bytes())
    data[len(data) // 2] ^= 0xFF
    partial.write_bytes(data)
    again = read(source, partial)
    assert shown(again) == shown(whole)
    again.forget()


def test_a_source_that_changed_is_read_anew(source: Path, tmp_path: Path) -> None:
    partial = tmp_path / "p.part"
    first = read(source, partial)
    assert first.partial is not None
    first.partial.close()
    (source / "c.json").unlink()
    with (source / "a.jsonl").open("a") as stream:
        stream.write("\n" + json.dumps(call(99)))
    again = read(source, partial)
    assert shown(again) == shown(read(source))
    again.forget()


def test_other_options_begin_anew(source: Path, tmp_path: Path) -> None:
    partial = tmp_path / "p.part"
    open_ = read(source, partial, redact=False)
    assert open_.partial is not None
    open_.partial.close()
    redacted = read(source, partial)
    assert all(KEY.encode() not in found for found in redacted.lines())
    assert KEY.encode() not in partial.read_bytes()
    redacted.forget()


def test_two_passes_at_once_keep_one_file(source: Path, tmp_path: Path) -> None:
    partial = tmp_path / "p.part"
    first = read(source, partial)
    second = read(source, partial)
    assert (first.partial is not None, second.partial) == (True, None)
    assert shown(first) == shown(second)
    first.forget()


def test_a_file_that_cannot_be_kept_costs_nothing(source: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    intake = read(source, tmp_path / "file" / "p.part")
    assert intake.partial is None
    assert shown(intake) == shown(read(source))


def test_items_come_back_as_they_were(tmp_path: Path) -> None:
    made = line(capture("a", turns=3, workload="desk", tokens=4), "answer", "previous")
    lost = Lost(Dropped(Reason.NO_RESPONSE, "f#L1", "x", "f", "d"), "gemini", ("a", "b"))
    items = [
        type(made)(told=made.told, line=made.line, blobs={"d": b"\x00x"}, tools=made.tools, work=5),
        type(lost)(lost.dropped, lost.dialect, lost.nearest, work=5),
        type(lost)(lost.dropped, work=6),
    ]
    first = Partial(tmp_path / "p", "one")
    for item in items:
        first.add(item)
    first.close()
    again = Partial(tmp_path / "p", "one")
    assert again.works == {5}
    assert list(again.items(5)) == items[:2]
    again.remove()


PROGRAM = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from benchmarks.intake import ingest as ingesting
ingesting.PARTIAL_FROM = 0
options = ingesting.IntakeOptions(
    now=datetime(2026, 11, 2, tzinfo=UTC), partial=Path(sys.argv[2]), processes=2
)
ingesting.ingest([Path(sys.argv[1])], options=options)
"""


def test_kill_9_of_a_pass_over_processes_loses_nothing(source: Path, tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(call(number)) for number in range(100, 1500))
    (source / "d.jsonl").write_text(lines, encoding="utf-8")
    partial = tmp_path / "p.part"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(source), str(partial)])
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        if partial.exists() and partial.stat().st_size > 60_000:
            os.kill(process.pid, signal.SIGKILL)
            break
        time.sleep(0.01)
    assert process.wait() == -signal.SIGKILL
    kept = partial.stat().st_size
    again = read(source, partial)
    assert again.partial is not None
    assert kept > 60_000
    assert shown(again) == shown(read(source, processes=0))
    again.forget()
