"""Every MCP tool of the three apps, in one tuple."""

from benchmarks.doors.tool import ToolEntry
from benchmarks.mcp_tools import TOOLS as BENCHMARK_TOOLS
from reviews.mcp_tools import TOOLS as REVIEW_TOOLS
from runs.mcp_regrading import TOOLS as REGRADE_TOOLS
from runs.mcp_tools import TOOLS as RUN_TOOLS

TOOLS: tuple[ToolEntry, ...] = (*BENCHMARK_TOOLS, *REVIEW_TOOLS, *RUN_TOOLS, *REGRADE_TOOLS)
