from tabiya.maintenance.sorting import Sorted as Sorted
from tabiya.maintenance.sorting import sort as sort
from tabiya.maintenance.splitting import SplitFile as SplitFile
from tabiya.maintenance.splitting import SplitReport as SplitReport
from tabiya.maintenance.splitting import split as split
