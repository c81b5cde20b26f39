"""Everything that is recognised, in the order in which it is tried (spec/build.md 1.2).

Every record is classed by itself, by content, so one file may mix dialects. A dialect that is
added stands in one of these tuples, and in `docs/dialects.md` through its expected table.
"""

from benchmarks.intake.dialect import Dialect, WireDialect
from benchmarks.intake.dialects.anthropic_managed import AnthropicManaged
from benchmarks.intake.dialects.anthropic_messages import AnthropicMessages
from benchmarks.intake.dialects.atif import Atif
from benchmarks.intake.dialects.autogen import AutogenMessages, AutogenRecords
from benchmarks.intake.dialects.batch import Batch
from benchmarks.intake.dialects.bedrock import Bedrock
from benchmarks.intake.dialects.braintrust import Braintrust
from benchmarks.intake.dialects.cassette import Cassette
from benchmarks.intake.dialects.claude_code import ClaudeCode
from benchmarks.intake.dialects.codex import Codex
from benchmarks.intake.dialects.codex_exec import CodexExec
from benchmarks.intake.dialects.cohere import Cohere
from benchmarks.intake.dialects.continue_dev import ContinueSession
from benchmarks.intake.dialects.copilot_chat import CopilotChat
from benchmarks.intake.dialects.copilot_cli import CopilotCli
from benchmarks.intake.dialects.cursor_cli import CursorCli
from benchmarks.intake.dialects.datadog import Datadog
from benchmarks.intake.dialects.deepeval import DeepEval
from benchmarks.intake.dialects.envelope import BarePair, Envelope
from benchmarks.intake.dialects.gemini import Gemini
from benchmarks.intake.dialects.gemini_cli import GeminiCli
from benchmarks.intake.dialects.gemini_stream import GeminiStream
from benchmarks.intake.dialects.google_adk import GoogleAdkEvents, GoogleAdkSession
from benchmarks.intake.dialects.har import Har
from benchmarks.intake.dialects.inspect import Inspect
from benchmarks.intake.dialects.invocation_log import InvocationLog
from benchmarks.intake.dialects.langfuse import Langfuse
from benchmarks.intake.dialects.langsmith import LangSmith
from benchmarks.intake.dialects.llama_index import LlamaIndexStore
from benchmarks.intake.dialects.mastra import Mastra
from benchmarks.intake.dialects.messages import MessageLines, Messages
from benchmarks.intake.dialects.mlflow import MlflowTrace
from benchmarks.intake.dialects.nock import Nock
from benchmarks.intake.dialects.ollama import Ollama
from benchmarks.intake.dialects.openai_agents import OpenAiAgents
from benchmarks.intake.dialects.openai_chat import OpenAiChat
from benchmarks.intake.dialects.openai_responses import OpenAiResponses
from benchmarks.intake.dialects.openai_threads import OpenAiThreads
from benchmarks.intake.dialects.openclaw import OpenClaw
from benchmarks.intake.dialects.opencode import OpenCodeExport, OpenCodeMessages, OpenCodeRun
from benchmarks.intake.dialects.openhands import OpenHandsEvents, OpenHandsOutput
from benchmarks.intake.dialects.openhands_sdk import OpenHandsSdkEvents, OpenHandsSdkList
from benchmarks.intake.dialects.opik import Opik
from benchmarks.intake.dialects.otel_spans import OtelSpanLists, OtelSpans
from benchmarks.intake.dialects.otlp import Otlp, OtlpTrace
from benchmarks.intake.dialects.pi import Pi
from benchmarks.intake.dialects.pydantic_ai import PydanticAiHistory, PydanticAiMessages
from benchmarks.intake.dialects.reference import Reference
from benchmarks.intake.dialects.semantic_kernel import (
    SemanticKernelHistory,
    SemanticKernelMessages,
)
from benchmarks.intake.dialects.smolagents import SmolagentsRun, SmolagentsSteps
from benchmarks.intake.dialects.strands import Strands
from benchmarks.intake.dialects.swe_agent import SweAgent
from benchmarks.intake.dialects.tau2 import Tau2
from benchmarks.intake.dialects.tau_bench import TauBench
from benchmarks.intake.dialects.verifiers import Verifiers
from benchmarks.intake.dialects.weave import Weave
from benchmarks.intake.dialects.workflow_state import WorkflowState

WIRES: tuple[WireDialect, ...] = (
    Gemini(),
    Bedrock(),
    AnthropicMessages(),
    Cohere(),
    OpenAiResponses(),
    Ollama(),
    OpenAiChat(),
)
"""The wires of calls. Where no address tells, the first whose bodies fit; chat comes last."""

CONTAINERS: tuple[Dialect, ...] = (
    Har(),
    Cassette(),
    Nock(),
    Batch(),
    InvocationLog(),
    MlflowTrace(),
    LlamaIndexStore(),
    ContinueSession(),
)
OWN: tuple[Dialect, ...] = (Reference(),)
ENVELOPES: tuple[Dialect, ...] = (Envelope(),)
CONVERSATIONS: tuple[Dialect, ...] = (
    Atif(),
    TauBench(),
    Tau2(),
    CursorCli(),
    ClaudeCode(),
    Codex(),
    CodexExec(),
    GeminiCli(),
    GeminiStream(),
    OpenHandsEvents(),
    OpenHandsOutput(),
    OpenHandsSdkEvents(),
    OpenHandsSdkList(),
    SweAgent(),
    Inspect(),
    Verifiers(),
    DeepEval(),
    CopilotCli(),
    Pi(),
    CopilotChat(),
    AnthropicManaged(),
    OpenClaw(),
    OpenAiThreads(),
    GoogleAdkSession(),
    GoogleAdkEvents(),
    AutogenMessages(),
    AutogenRecords(),
    OpenCodeMessages(),
    OpenCodeExport(),
    OpenCodeRun(),
    SmolagentsSteps(),
    SmolagentsRun(),
    SemanticKernelMessages(),
    SemanticKernelHistory(),
    Strands(),
    PydanticAiMessages(),
    PydanticAiHistory(),
)
SPANS: tuple[Dialect, ...] = (
    Otlp(),
    OtlpTrace(),
    Opik(),
    Langfuse(),
    LangSmith(),
    OpenAiAgents(),
    Weave(),
    Braintrust(),
    Mastra(),
    Datadog(),
    OtelSpanLists(),
    OtelSpans(),
)
PAIRS: tuple[Dialect, ...] = (BarePair(),)
MESSAGES: tuple[Dialect, ...] = (
    WorkflowState(),
    Messages(),
    MessageLines(),
)
TABLE: tuple[Dialect, ...] = OWN + CONTAINERS + ENVELOPES + CONVERSATIONS + SPANS + PAIRS + MESSAGES
