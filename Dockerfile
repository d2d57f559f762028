# tabiya serve in a container: the databases are in /data, and nothing else can be written.
#
#   docker build -t tabiya .
#   docker run --rm --read-only --tmpfs /tmp -v "$PWD:/data:ro" -p 127.0.0.1:8960:8960 tabiya
#
# Everyone who has the printed address, with its token, can read /data: publish the port on this machine only, as above.
FROM python:3.13-slim-bookworm AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --no-install-recommends -y gcc libc6-dev make nodejs npm && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN make web && .venv/bin/python -m pip install --no-cache-dir 'build>=1.2' && .venv/bin/python -m build --wheel

FROM python:3.13-slim-bookworm
COPY --from=build /source/dist/*.whl /wheels/
# hadolint ignore=DL3013
RUN wheel=$(ls /wheels/*.whl) && pip install --no-cache-dir "${wheel}[web,sql]" && rm -r /wheels \
    && useradd --uid 10001 --create-home --home-dir /home/tabiya tabiya
USER 10001
ENV PYTHONDONTWRITEBYTECODE=1 TABIYA_CONFIG=
WORKDIR /data
VOLUME /data
EXPOSE 8960
HEALTHCHECK --interval=30s --timeout=5s CMD ["python", "-c", "import socket; socket.create_connection(('127.0.0.1', 8960), 3).close()"]
# Inside of a container, 127.0.0.1 is the container alone: the port that docker publishes decides who can reach it.
ENTRYPOINT ["tabiya", "serve", "--host", "0.0.0.0", "--no-browser", "--root", "/data"]
