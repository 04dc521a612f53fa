"""PyTorch, as a guest: bench --peers."""

from offer import offer

offer("torch_", "torch")
