-- expect: 2: attempt to call a nil value (global 'loadfile')
loadfile("/etc/passwd")
