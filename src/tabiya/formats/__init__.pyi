from typing import Final

from tabiya.formats.capabilities import Keeps as Keeps
from tabiya.formats.capabilities import SymbolRoom as SymbolRoom
from tabiya.formats.choose import create as create
from tabiya.formats.choose import open as open  # noqa: A004 - the name that users expect
from tabiya.formats.collection import Collection as Collection
from tabiya.formats.comparison import Comparison as Comparison
from tabiya.formats.comparison import RecordDifference as RecordDifference
from tabiya.formats.conversion import ConversionReport as ConversionReport
from tabiya.formats.conversion import GameProblem as GameProblem
from tabiya.formats.conversion import convert as convert
from tabiya.formats.database import HEADER_SCHEMA as HEADER_SCHEMA
from tabiya.formats.database import Database as Database
from tabiya.formats.description import Description as Description
from tabiya.formats.editor import DatabaseEditor as DatabaseEditor
from tabiya.formats.format import Format as Format
from tabiya.formats.format import Match as Match
from tabiya.formats.format import Option as Option
from tabiya.formats.format import Profile as Profile
from tabiya.formats.guiding_texts import ExportReport as ExportReport
from tabiya.formats.guiding_texts import export_texts as export_texts
from tabiya.formats.guiding_texts import text_records as text_records
from tabiya.formats.losses import Loss as Loss
from tabiya.formats.losses import LossReport as LossReport
from tabiya.formats.origins import Origin as Origin
from tabiya.formats.progress import Progress as Progress
from tabiya.formats.summary import Summary as Summary
from tabiya.formats.summary import summarize as summarize
from tabiya.formats.tools import ArchiveMember as ArchiveMember
from tabiya.formats.tools import Compacted as Compacted
from tabiya.formats.tools import Copied as Copied
from tabiya.formats.tools import Extracted as Extracted
from tabiya.formats.tools import Merged as Merged
from tabiya.formats.tools import check as check
from tabiya.formats.tools import compact as compact
from tabiya.formats.tools import copy as copy
from tabiya.formats.tools import edit as edit
from tabiya.formats.tools import extract as extract
from tabiya.formats.tools import merge_segments as merge_segments
from tabiya.formats.tools import pack as pack
from tabiya.formats.tools import rebuild as rebuild
from tabiya.formats.verification import Verification as Verification
from tabiya.formats.writer import Writer as Writer

FORMATS: Final[tuple[Format, ...]]
