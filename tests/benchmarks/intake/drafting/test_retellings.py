from benchmarks.intake.drafting.draft import CallFound, Draft
from benchmarks.intake.drafting.retellings import names_of
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
