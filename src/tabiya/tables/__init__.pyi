from tabiya.tables.columns import COLUMNS as COLUMNS
from tabiya.tables.columns import POSITION_COLUMNS as POSITION_COLUMNS
from tabiya.tables.table_files import TABLE_FORMATS as TABLE_FORMATS
from tabiya.tables.writing import USUAL_COLUMNS as USUAL_COLUMNS
from tabiya.tables.writing import TableReport as TableReport
from tabiya.tables.writing import write_table as write_table
