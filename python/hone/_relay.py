"""Joins the pipe of a strategy, which the program starts, with the process that has it:
_relay.py SOCKET. It is run without the package, so that it starts at once."""
import os
import socket
import sys
import threading


def main() -> None:
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.connect(sys.argv[1])

    def upstream() -> None:
        while data := os.read(0, 65536):
            server.sendall(data)
        server.shutdown(socket.SHUT_WR)

    threading.Thread(target=upstream, daemon=True).start()
    while data := server.recv(65536):
        while data:
            data = data[os.write(1, data):]


if __name__ == "__main__":
    try:
        main()
    except OSError:  # one of the two has ended
        sys.exit(1)
