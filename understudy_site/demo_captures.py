"""The captures that `understudy demo` ships: invented conversations of a bicycle hire.

| file | form | records | conversations |
|---|---|---|---|
| gateway.jsonl | OpenAI chat completions in gateway envelopes, some bodies as text; one call failed and was sent again; line 10 is cut in the middle | 23 | 4 |
| chat-pairs.jsonl | bare request and response pairs; the last has no answer | 10 | 3 |
| messages.jsonl | Anthropic messages | 8 | 2 |
| trials.json | tau-bench trajectories: two tasks in two trials, one task that never succeeded | 5 | 5 |

Nothing in them was said by anybody; the one token in gateway.jsonl opens nothing.
"""  # noqa: E501

from pathlib import Path

FOLDER = Path(__file__).parent / "demo_data"
FILES = ("gateway.jsonl", "chat-pairs.jsonl", "messages.jsonl", "trials.json")
RECORDS = 46
BROKEN = {"malformed_line": 1, "no_response": 1}
"""Records that are broken on purpose, by the reason that intake gives."""
SECRETS = {"connection_string": 1}
CONVERSATIONS = 14
TASKS = 10
WITHOUT_TASK = {"repeat_trial": 2, "no_successful_trajectory": 1, "no_user_turn": 1}
"""Conversations that make no task, by reason."""
