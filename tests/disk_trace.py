"""What a program does to a folder, as the kernel sees it: strace records its calls, this module reads the record.

It follows descriptors, positions in files and names, so that it knows which bytes of which file a call changes. A call
that may change the folder in a way that it does not understand is an error.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_CALLS = (
    *("openat", "open", "creat", "close", "dup", "dup2", "dup3", "fcntl", "read", "readv", "lseek", "mmap"),
    *("write", "writev", "pwrite64", "pwritev", "sendfile", "copy_file_range", "splice", "ftruncate", "truncate"),
    *("fallocate", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "unlink", "unlinkat"),
    *("mkdir", "mkdirat", "rmdir", "fsync", "fdatasync"),
)
_LONGEST = 1 << 24
_CALL = re.compile(r"(\w+)\((.*)\)\s+= (-?\w+)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')


@dataclass(eq=False)
class Node:
    """A file or folder, whatever its names are, as the calls have left it."""

    content: bytearray = field(default_factory=bytearray)
    entries: dict[str, Node] | None = None

    @classmethod
    def of(cls, path: Path) -> Node:
        if path.is_dir():
            return cls(entries={each.name: cls.of(each) for each in path.iterdir()})
        return cls(bytearray(path.read_bytes()))

    @property
    def folder(self) -> dict[str, Node]:
        assert self.entries is not None
        return self.entries

    def all(self) -> Iterator[Node]:
        """It and all below it."""
        nodes = [self]
        for node in nodes:
            yield node
            nodes += (node.entries or {}).values()


@dataclass(frozen=True)
class Write:
    """Bytes of a file."""

    node: Node
    place: int
    data: bytes


@dataclass(frozen=True)
class Cut:
    """A new length of a file."""

    node: Node
    length: int


@dataclass(frozen=True)
class Names:
    """Entries of folders that appear (True) or disappear at once, as in a rename; the last one is what it is for."""

    changes: tuple[tuple[Node, str, Node, bool], ...]


@dataclass(frozen=True)
class Flush:
    """What happened to this file or folder before is on the disk."""

    node: Node


Step = Write | Cut | Names | Flush


def record(command: list[str], log: Path) -> str:
    """Run a command, and return the record of its calls."""
    options = ["-f", "--seccomp-bpf", "-qq", "-xx", "-s", str(_LONGEST), "-e", "raw=read,readv", "-e", "signal=none"]
    subprocess.run(["strace", *options, "-e", f"trace={','.join(_CALLS)}", "-o", str(log), *command], check=True)
    return log.read_text("ascii")


def _calls(recorded: str) -> Iterator[tuple[str, str, int]]:
    """The calls that succeeded, with what they were given and what they returned, in the order of their ends."""
    begun: dict[str, str] = {}
    for line in recorded.splitlines():
        process, _, text = line.partition(" ")
        text = text.strip()
        if text.endswith("<unfinished ...>"):
            begun[process] = text.removesuffix("<unfinished ...>")
            continue
        if text.startswith("<... "):
            text = begun.pop(process) + text.partition(" resumed>")[2]
        found = _CALL.match(text)
        if found and not found[3].startswith("-"):
            yield found[1], found[2], int(found[3], 0)


@dataclass
class _Descriptor:
    node: Node
    appends: bool
    place: int = 0


class Trace:
    """The steps below a folder; ``tree`` becomes what they make of it."""

    def __init__(self, root: Path, tree: Node, recorded: str) -> None:
        self.steps: list[Step] = []
        self.contents = {node: bytes(node.content) for node in tree.all()}
        """What the files had in them before."""
        self.entries = {node: dict(node.entries) for node in tree.all() if node.entries is not None}
        """The entries of the folders before."""
        self.tree = tree
        self._root = root.parts
        self._open: dict[int, _Descriptor] = {}
        for name, given, result in _calls(recorded):
            arguments = given.split(", ")
            match name.removesuffix("64"):
                case "open" | "openat" | "creat":
                    self._opened(arguments if name == "openat" else ["AT_FDCWD", *arguments], result)
                case "dup" | "dup2" | "dup3" | "fcntl" if name != "fcntl" or "F_DUPFD" in given:
                    self._duplicated(int(arguments[0]), result)
                case "close":
                    self._open.pop(int(arguments[0]), None)
                case "rename" | "link":
                    self._named(name, ["AT_FDCWD", arguments[0], "AT_FDCWD", arguments[1]])
                case "renameat" | "renameat2" | "linkat":
                    self._named(name, arguments)
                case "mkdir" | "rmdir" | "unlink" | "symlink":
                    self._entry(name, "AT_FDCWD", arguments[-1 if name == "symlink" else 0])
                case "mkdirat" | "unlinkat":
                    self._entry(name, arguments[0], arguments[1])
                case "symlinkat":
                    self._entry(name, arguments[1], arguments[2])
                case "sendfile" | "copy_file_range":
                    self._copied(name, arguments, result)
                case _ if (file := self._file(name, arguments)) is not None:
                    self._used(name, file, given, arguments, result)

    # Names.

    def _place(self, base: str, text: str) -> tuple[Node, str] | None:
        """The folder and the name in it that a path means; None if it is elsewhere. Relative paths are elsewhere."""
        parts = Path(os.fsdecode(_bytes_of(text))).parts
        if parts[:1] == ("/",):
            if parts[: len(self._root)] != self._root or parts == self._root:
                return None
            node, parts = self.tree, parts[len(self._root) :]
        elif base.isdigit() and int(base) in self._open:
            node = self._open[int(base)].node
        else:
            return None
        for part in parts[:-1]:
            node = node.folder[part]
        return node, parts[-1]

    def _opened(self, arguments: list[str], descriptor: int) -> None:
        self._open.pop(descriptor, None)
        flags = arguments[2] if len(arguments) > 2 else "O_CREAT|O_TRUNC"
        if _bytes_of(arguments[1]) == os.fsencode(Path(*self._root)):
            self._open[descriptor] = _Descriptor(self.tree, appends=False)
            return
        place = self._place(*arguments[:2])
        if place is None:
            return
        assert "O_TMPFILE" not in flags
        folder, name = place
        if name not in folder.folder:
            node = folder.folder[name] = Node()
            self.steps.append(Names(((folder, name, node, True),)))
        node = folder.folder[name]
        if "O_TRUNC" in flags:
            self._cut(node, 0)
        self._open[descriptor] = _Descriptor(node, "O_APPEND" in flags)

    def _duplicated(self, old: int, new: int) -> None:
        self._open.pop(new, None)
        if old in self._open:
            self._open[new] = self._open[old]

    def _named(self, name: str, arguments: list[str]) -> None:
        old, new = self._place(*arguments[:2]), self._place(*arguments[2:4])
        assert (old is None) == (new is None), f"{name} to or from elsewhere"
        if old is None or new is None:
            return
        node = old[0].folder[old[1]]
        changes = [(*new, node, True)]
        if name.startswith("rename"):
            assert "EXCHANGE" not in arguments[-1]
            del old[0].folder[old[1]]
            changes.insert(0, (*old, node, False))
        new[0].folder[new[1]] = node
        self.steps.append(Names(tuple(changes)))

    def _entry(self, name: str, base: str, path: str) -> None:
        place = self._place(base, path)
        if place is None:
            return
        assert not name.startswith("symlink")
        folder, entry = place
        if name.startswith("mkdir"):
            node = folder.folder[entry] = Node(entries={})
        else:
            node = folder.folder.pop(entry)
        self.steps.append(Names(((folder, entry, node, name.startswith("mkdir")),)))

    # Contents.

    def _file(self, name: str, arguments: list[str]) -> _Descriptor | None:
        """The file that a call is about: that of its first argument, but for mmap."""
        descriptor = arguments[4] if name == "mmap" else arguments[0]
        assert name != "truncate" or self._place("AT_FDCWD", descriptor) is None
        return self._open.get(int(descriptor, 0)) if re.fullmatch(r"\d+|0x[0-9a-f]+", descriptor) else None

    def _used(self, name: str, file: _Descriptor, given: str, arguments: list[str], result: int) -> None:
        match name:
            case "write" | "writev":
                file.place = len(file.node.content) if file.appends else file.place
                self._write(file.node, file.place, _bytes_of(given)[:result])
                file.place += result
            case "pwrite64" | "pwritev":
                self._write(file.node, int(arguments[-1]), _bytes_of(given)[:result])
            case "read" | "readv":
                file.place += result
            case "lseek":
                file.place = result
            case "ftruncate":
                self._cut(file.node, int(arguments[1]))
            case "fsync" | "fdatasync":
                self.steps.append(Flush(file.node))
            case "mmap":
                assert not ("PROT_WRITE" in given and "MAP_SHARED" in given), "what is mapped changes without a call"
            case _:
                assert name == "fcntl", f"what does {name} do?"

    def _copied(self, name: str, arguments: list[str], count: int) -> None:
        target, source, place = arguments[:3] if name == "sendfile" else (arguments[2], *arguments[:2])
        file, origin = self._open.get(int(target)), self._open.get(int(source))
        begin = int(found[0]) if (found := re.findall(r"\d+", place)) else origin.place if origin else 0
        if origin is not None and not found:
            origin.place += count
        if file is None or not count:
            return
        assert origin is not None, f"{name} from elsewhere"
        assert name == "sendfile" or arguments[3] == "NULL"
        self._write(file.node, file.place, bytes(origin.node.content[begin : begin + count]))
        file.place += count

    def _write(self, node: Node, place: int, data: bytes) -> None:
        write(node.content, place, data)
        self.steps.append(Write(node, place, data))

    def _cut(self, node: Node, length: int) -> None:
        if length != len(node.content):
            cut(node.content, length)
            self.steps.append(Cut(node, length))


def write(content: bytearray, place: int, data: bytes) -> None:
    """Write into a file; what it skips is zero."""
    if place > len(content):
        content.extend(bytes(place - len(content)))
    content[place : place + len(data)] = data


def cut(content: bytearray, length: int) -> None:
    """Change the length of a file."""
    del content[length:]
    content.extend(bytes(length - len(content)))


def _bytes_of(text: str) -> bytes:
    """The texts in what a call was given, one after the other."""
    assert not any(found[2] for found in _TEXT.finditer(text)), "a text is longer than what is recorded"
    return b"".join(bytes.fromhex(found[1].replace("\\x", "")) for found in _TEXT.finditer(text))
