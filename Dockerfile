# One image for web, workers and prediction server; docker-compose.yml says which process it runs.
FROM node:24.4.1-slim AS frontend
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci
COPY frontend ./
COPY docs /src/docs
RUN npm run build

FROM python:3.11.13-slim-bookworm
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 OMP_NUM_THREADS=1 PYTHONPATH=/src/platform:/src
WORKDIR /src
# Gradient boosting's wheel leaves the OpenMP runtime to the system; libraries for C++ and Java are compiled before they are handed out.
RUN apt-get update && apt-get install -y --no-install-recommends g++ libgomp1 openjdk-17-jdk-headless && rm -rf /var/lib/apt/lists/*
COPY pyproject.toml README.md LICENSE ./
RUN pip install hatchling==1.33.0 editables==0.6
COPY manage.py ./
COPY platform platform
COPY automl automl
COPY engine engine
COPY exporters exporters
COPY runtime runtime
COPY labeling labeling
RUN pip install --no-build-isolation --editable ".[web,engine]" \
    && useradd --create-home modelyard && mkdir --mode=700 /data && chown modelyard /data
COPY --from=frontend /src/frontend/dist frontend/dist
COPY frontend/openapi.json frontend/
COPY --from=frontend /src/exporters/_javascript/built exporters/_javascript/built
COPY --from=frontend /src/frontend/docs/dist frontend/docs/dist
USER modelyard
