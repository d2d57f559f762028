from tabiya.notebook.display import viewer as viewer
from tabiya.notebook.widget import GameViewer as GameViewer
