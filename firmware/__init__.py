"""The layer both programs stand on: board, wire and card of a kit's Pi."""
