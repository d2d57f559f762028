"""The server: tools over standard input and output, by the official SDK."""

from __future__ import annotations

import json
import logging
import sys
from functools import partial
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import anyio
from anyio.to_thread import run_sync
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, TextContent, ToolAnnotations
from mcp_types import Tool as ToolOfSdk

import tabiya
from tabiya.errors import TabiyaError, UsageError
from tabiya.files.file_errors import errors_of, sentence_of
from tabiya.mcp.arguments import checked_arguments, input_schema
from tabiya.mcp.questions import GivenUpError, Patience
from tabiya.mcp.tools import TOOLS, Tool
from tabiya.web.request import ApiError, error_of

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp_types import CallToolRequestParams, PaginatedRequestParams

    from tabiya.web.site import Site

_LOG = logging.getLogger(__name__)
STREAMS = "standard input and output"
_INSTRUCTIONS = (
    "Chess databases and opening books of the user, read only. Begin with list_databases: other tools take its ids. "
    "Moves and positions are checked, so use FEN and moves in SAN or UCI. Numbers come from the games themselves."
)


def run(site: Site) -> None:
    """Serve one client over standard input and output until its input ends.

    Raises:
        UsageError: Standard input is closed.
        TabiyaError: The client has gone, or what it asked for cannot be written; its path is ``STREAMS``.
    """
    if sys.stdin is None:
        raise UsageError("standard input is closed: a client that speaks MCP starts this command and asks through it")
    try:
        anyio.run(partial(_serve, site))
    except ExceptionGroup as failed:  # tasks of the SDK read and write
        failure: Exception | None = failed.subgroup(OSError)
        while isinstance(failure, ExceptionGroup):
            failure = failure.exceptions[0]
        if failure is None:
            raise
        with errors_of(STREAMS):
            raise failure from None


class _Input(anyio.AsyncFile[str]):
    """Standard input. The SDK would wait for one more line before it ends, even if it can no longer write."""

    async def readline(self) -> str:
        return await run_sync(self.wrapped.readline, abandon_on_cancel=True)


async def _serve(site: Site) -> None:
    server = server_of(site)
    lines = _Input(TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"))
    async with stdio_server(lines) as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def server_of(site: Site) -> Server[Any]:
    """Return the server of a site; engines are offered only if there are any."""
    tools = {tool.name: tool for tool in TOOLS if site.analyses.engines or not tool.needs_engine}
    listed = ListToolsResult(tools=[_described(tool) for tool in tools.values()])

    async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return listed

    async def call_tool(_: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        tool = tools.get(params.name)
        if tool is None:
            return _failed(f"There is no tool “{params.name[:40]}”; there are {', '.join(tools)}.")
        return await _called(site, tool, params.arguments or {})

    return Server(
        "tabiya",
        version=tabiya.__version__,
        title="tabiya",
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _described(tool: Tool) -> ToolOfSdk:
    return ToolOfSdk(
        name=tool.name,
        title=tool.title,
        description=tool.help,
        input_schema=input_schema(tool.arguments),
        output_schema=tool.result(),
        annotations=ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False),
    )


async def _called(site: Site, tool: Tool, given: dict[str, Any]) -> CallToolResult:
    """Answer in a thread, so that other requests are answered meanwhile; a cancelled one is given up."""
    patience = Patience()
    try:
        values, text = await run_sync(partial(_answer, site, tool, given, patience), abandon_on_cancel=True)
    except ApiError as error:
        return _failed(error.sentence)
    except TabiyaError as error:
        return _failed(error_of(error).sentence)
    except OSError as error:
        return _failed(f"The system does not allow it: {sentence_of(error)}.")
    except Exception:  # noqa: BLE001 - the client gets an answer whatever happens, and the log the reason
        _LOG.exception("the tool %s failed", tool.name)
        return _failed("Something unexpected went wrong; the log of tabiya mcp shows it.")
    finally:
        patience.give_up()
    return CallToolResult(content=[TextContent(text=text)], structured_content=values)


def _answer(site: Site, tool: Tool, given: dict[str, Any], patience: Patience) -> tuple[dict[str, Any], str]:
    try:
        values, text = tool.answer(site, checked_arguments(tool.arguments, given), patience)
    except GivenUpError:
        return {}, ""
    # Texts of files may contain unpaired surrogates, which the protocol cannot transport.
    plain = json.dumps(values, ensure_ascii=False).encode("utf-8", "replace")
    return json.loads(plain), text.encode("utf-8", "replace").decode()


def _failed(sentence: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=sentence)], is_error=True)
