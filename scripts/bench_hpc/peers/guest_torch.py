"""PyTorch, as a user kernel: bench --peers."""

from offer import offer

offer("torch_", "torch")
