"""Deals: who holds each card, and what that gives double dummy."""
