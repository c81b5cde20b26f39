"""A reply, judged: read, grounded, merged in memory, proved. The verdict lists every violation."""

from dataclasses import dataclass

from benchmarks.authoring.evidence import Evidence
from benchmarks.authoring.grounding import ground
from benchmarks.authoring.merge import Authorship, merged_contract
from benchmarks.authoring.proving import leak_complaints, proof_complaints
from benchmarks.authoring.reply import Reply, read_reply
from benchmarks.records.contract import Contract


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a reply: the merged contract, or why there is none."""

    reply: Reply | None
    violations: tuple[str, ...] = ()
    contract: Contract | None = None
    """The contract with what the reply adds; None where it is refused."""

    @property
    def is_verified(self) -> bool:
        """Whether the recording bears all of it out."""
        return not self.violations


def judge_reply(text: str, evidence: Evidence, by: Authorship) -> Verdict:
    """The verdict on a reply. A later rule is asked only where the earlier ones leave a contract.

    Rules 2 to 7 are all asked of a reply that can be read, so that one retry can mend them all;
    rule 8 plays the merged contract, which is worth nothing while an entry of it is untrue.
    """
    reply, wrong = read_reply(text)
    if reply is None:
        return Verdict(None, tuple(wrong))
    grounded = ground(reply, evidence)
    contract = merged_contract(evidence.task.outcome_contract, reply, grounded.covering, by)
    found = [*grounded.violations, *leak_complaints(reply, contract, evidence)]
    if not grounded.violations:
        found += proof_complaints(contract, evidence)
    return Verdict(reply, tuple(found), None if found else contract)
