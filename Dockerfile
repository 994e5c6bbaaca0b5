# svc in a container image with git and Node.js: runs without root, and writes to /tmp and the repository only.
#   docker build -t svc .
#   docker run --rm --read-only --tmpfs /tmp --user "$(id -u):$(id -g)" -v "$PWD:/repo" svc scan
FROM node:20.20-bookworm-slim AS build
# A build with git starts faster: it keeps V8's compiled code of a scan.
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN npm ci && npm run pack && mv packed/*.tgz /svc.tgz

FROM node:20.20-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
COPY --from=build /svc.tgz /svc.tgz
# The repository belongs to the user who mounts it; git would reject it otherwise.
RUN npm install --global --ignore-scripts --no-audit --no-fund /svc.tgz \
    && rm /svc.tgz \
    && git config --system --add safe.directory /repo
# Any user has a writable home.
ENV HOME=/tmp
USER node
WORKDIR /repo
ENTRYPOINT ["svc"]
CMD ["scan"]
