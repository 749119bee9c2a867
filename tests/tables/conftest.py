"""The engines that tests of tables run on, and a session of Spark."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest


@pytest.fixture(params=["numpy", "duckdb"], scope="module")
def engine(request: pytest.FixtureRequest) -> str:
    for module in ("duckdb", "pyarrow") if request.param == "duckdb" else ():
        pytest.importorskip(module, reason=f"{module} is not installed: pip install 'scoref[tables]'")
    return str(request.param)


@pytest.fixture(scope="session")
def spark() -> Iterator[object]:
    pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'scoref[spark]'")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java: apt-get install default-jre-headless")
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.memory", "1g")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.sql.codegen.wholeStage", "false")  # tables are tiny: compiling takes longer than counting
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.shuffle.compress", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
