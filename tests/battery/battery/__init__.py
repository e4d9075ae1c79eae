"""The hostile programs in real containers: cases as data, and what runs and judges them."""
