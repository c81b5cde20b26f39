from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.retellings import fullest, names_of
from benchmarks.records.conversation import Text, Turn


def told(*said: str) -> list[Turn]:
    """Turns by their first letter: u for a user, a for a model; the last of a model answers."""
    draft = Draft()
    for at, text in enumerate(said):
        is_answer = text[0] == "a" and at == len(said) - 1
        draft.add(
            "user" if text[0] == "u" else "assistant",
            [Text(text=text)] if text[1:] != "!" else [CallFound("c1", "look", "{}")],
            origin="response" if is_answer else "request",
        )
    return draft.turns


def test_equal_turns_have_one_name_and_others_have_their_own() -> None:
    one, same, other = names_of([told("u1", "a1"), told("u1", "a1"), told("u1", "a2")])
    assert one == same
    assert one != other


def test_an_answer_alone_has_the_name_of_the_one_entry_with_its_question() -> None:
    alone, whole = names_of([told("a!"), told("u1", "a!")])
    assert alone == whole


def test_an_answer_to_two_questions_has_a_name_of_its_own() -> None:
    names = names_of([told("a1"), told("u1", "a1"), told("u2", "a1")])
    assert len(set(names)) == 3


def test_a_name_is_good_for_one_document_only() -> None:
    first, _ = names_of([told("u1", "a1"), told("u2")])
    again, _ = names_of([told("u1", "a1"), told("u3")])
    assert first != again


def acted(*steps: str, answered: int = 0) -> list[Turn]:
    """A question and steps: `!id` is a call, `?id` its result, others are said by the model."""
    draft = Draft()
    draft.add("user", [Text(text="do it")])
    for at, step in enumerate(steps):
        origin = "response" if at >= len(steps) - answered else "request"
        name = step[1:] or None
        if step[0] == "?":
            draft.add("tool", [ResultFound(name, "look", [Text(text="seen")])], origin=origin)
        else:
            piece = CallFound(name, "look", "{}") if step[0] == "!" else Text(text=step)
            draft.add("assistant", [piece], origin=origin)
    return draft.turns


def test_calls_at_once_are_told_in_full_where_each_has_its_result() -> None:
    at_once = acted("!a", "!b", answered=2)
    some, whole = acted("!a", "?a", "!b"), acted("!a", "?a", "!b", "?b", "done", answered=1)
    assert fullest([at_once, some, whole]) == [2, 1, 2]


def test_other_calls_other_beginnings_and_made_up_ids_prove_nothing() -> None:
    at_once = acted("!a", "!b", answered=2)
    assert fullest([at_once, acted("!b", "?b", "!a", "?a", "done")]) == [0, 1]
    assert fullest([at_once, acted("!a", "?a", "!c", "?c", "done")]) == [0, 1]
    assert fullest([at_once, acted("hm", "!a", "?a", "!b", "?b", "done")]) == [0, 1]
    assert fullest([acted("!", "!", answered=2), acted("!", "?", "!", "?", "done")]) == [0, 1]
    assert fullest([at_once, acted("!a", "?a", "and", "!b", "?b", "done")]) == [0, 1]
