from tabiya.positions.index.building import IndexBuilder as IndexBuilder
from tabiya.positions.index.building import IndexCounts as IndexCounts
from tabiya.positions.index.merging import merge_indexes as merge_indexes
from tabiya.positions.index.reading import PositionIndex as PositionIndex
from tabiya.positions.index.writing import IndexWriter as IndexWriter
