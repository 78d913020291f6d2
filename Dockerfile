# The command line in an image:
#   docker build -t induce .
#   docker run --rm -v "$PWD:/data" --user "$(id -u):$(id -g)" induce fit train.csv -o my.model
FROM debian:12-slim AS build
WORKDIR /induce
COPY . .
RUN ./go demo && strip build/induce

FROM debian:12-slim
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends libopenblas0-pthread zlib1g libbz2-1.0 liblzma5 libstdc++6 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home induce
COPY --from=build /induce/build/induce /usr/local/bin/induce
COPY --from=build /induce/LICENSE /induce/python/wheel/licenses/ /usr/share/doc/induce/
USER induce
WORKDIR /data
ENTRYPOINT ["induce"]
CMD ["--help"]
