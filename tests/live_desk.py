"""A real MCP server for tests: `python -m tests.live_desk stdio` or `... http PORT`.

Each process is a desk of its own: what one session writes is read there and nowhere else.
"""

import os
import sys
import time
from typing import Any

from mcp.server.mcpserver import MCPServer

SERVER = MCPServer("desk")
ORDERS: dict[str, dict[str, Any]] = {"A-1": {"order_id": "A-1", "status": "open"}}


@SERVER.tool()
def get_order(order_id: str) -> str:
    """Look an order up."""
    if order_id not in ORDERS:
        raise ValueError(f"no order {order_id}")
    order = ORDERS[order_id]
    return f"{order['order_id']} is {order['status']}"


@SERVER.tool()
def cancel_order(order_id: str) -> str:
    """Cancel an order."""
    ORDERS[order_id]["status"] = "cancelled"
    return f"{order_id} cancelled"


@SERVER.tool()
def update_item(item_id: str, status: str) -> str:
    """Set the status of an item."""
    return f"{item_id} is {status} now"


@SERVER.tool()
def whisper() -> str:
    """Say which key the server was given; print something that must not get lost in the wire."""
    sys.stderr.write("a secret on stderr\n")
    return os.environ.get("UNDERSTUDY_LIVE_TOKEN", "no key")


@SERVER.tool()
def sleep(seconds: float) -> str:
    """Take a while."""
    time.sleep(seconds)
    return "awake"


@SERVER.tool()
def shout(size: int) -> str:
    """Say too much."""
    return "x" * size


@SERVER.tool()
def crash() -> str:
    """End the process."""
    os._exit(3)


if __name__ == "__main__":
    if sys.argv[1] == "http":
        SERVER.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
    else:
        SERVER.run("stdio")
