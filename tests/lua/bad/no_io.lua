-- expect: 2: attempt to index a nil value (global 'io'); scripts have no os or io without --allow-io
io.open("/etc/passwd")
