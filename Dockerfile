# svc in an image: git and Node.js beside it, no root, and nothing to write but /tmp and the repository.
#   docker build -t svc .
#   docker run --rm --read-only --tmpfs /tmp --user "$(id -u):$(id -g)" -v "$PWD:/repo" svc scan
FROM node:20.20-bookworm-slim AS build
# What is built with git at hand starts sooner: the build keeps V8's compiled form of a scan.
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN npm ci && npm run pack && mv packed/*.tgz /svc.tgz

FROM node:20.20-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
COPY --from=build /svc.tgz /svc.tgz
# The repository belongs to whoever mounts it, whom git would not trust otherwise.
RUN npm install --global --ignore-scripts --no-audit --no-fund /svc.tgz \
    && rm /svc.tgz \
    && git config --system --add safe.directory /repo
# Whatever user it runs as has a home that can be written to.
ENV HOME=/tmp
USER node
WORKDIR /repo
ENTRYPOINT ["svc"]
CMD ["scan"]
