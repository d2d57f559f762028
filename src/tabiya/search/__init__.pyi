from tabiya.search.exploration import Exploration as Exploration
from tabiya.search.exploration import MoveOrder as MoveOrder
from tabiya.search.exploration import PlayedMove as PlayedMove
from tabiya.search.explorer import explore as explore
from tabiya.search.game_conditions import GameConditions as GameConditions
from tabiya.search.tally import Counts as Counts
from tabiya.search.tally import GameReference as GameReference
