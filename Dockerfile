# resy in a container, with spin beside it:
#   docker build -t resy . && docker run --rm -v "$PWD:/models" resy check lock.pml
FROM rust:1.95-slim-bookworm AS build
WORKDIR /resy
COPY . .
ARG RESY_COMMIT=
ENV CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_PROFILE_RELEASE_DEBUG=false
RUN RESY_COMMIT="$RESY_COMMIT" cargo build --release --locked -p resy-cli

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends spin gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY --from=build /resy/target/release/resy /usr/local/bin/resy
WORKDIR /models
ENTRYPOINT ["resy"]
