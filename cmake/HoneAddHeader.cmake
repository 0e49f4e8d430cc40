# see next
