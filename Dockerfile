# Platen as an image, for amd64 and arm64: docker build -t platen --build-arg REVISION=$(git rev-parse --short HEAD) .
# Other images may replace both: the first needs npm and strip, the second the C library of the first or a later one.
# The newest build of the HTTP server needs glibc 2.38: Debian 13 has 2.41.
ARG BUILD_IMAGE=docker.io/library/node:22-trixie
ARG RUNTIME_IMAGE=gcr.io/distroless/base-nossl-debian13

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
# Packages are installed again only when one of them changes.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
ARG REVISION
# --all-weights keeps all weights of Chinese, Japanese and Korean: 160 MB more.
ARG RELEASE_OPTIONS=
RUN npm run --silent release -- /release --strip ${REVISION:+--revision "$REVISION"} ${RELEASE_OPTIONS}
# Render processes are started through a shell, and native code needs these libraries: the small runtime image has none.
RUN mkdir /data && cd /usr/lib && mkdir /system && \
  cp -L --parents *-linux-gnu/libgcc_s.so.1 *-linux-gnu/libstdc++.so.6 *-linux-gnu/libz.so.1 /system/

FROM ${RUNTIME_IMAGE}
COPY --from=build /release /opt/platen
# The one folder that is written. A number, so that Kubernetes can see that it is not root.
COPY --from=build --chown=10001:10001 /data /data
COPY --from=build /bin/dash /bin/sh
COPY --from=build /system /usr/lib
WORKDIR /opt/platen
ENV PATH=/opt/platen/node_modules/.bin:/usr/bin:/bin HOME=/data PLATEN_DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 3000
# /readyz answers 503 while no render process lives, and before the end. The port may be set by PLATEN_PORT.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PLATEN_PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--initial-old-space-size=64", "--max-semi-space-size=4", "dist/main.js"]
