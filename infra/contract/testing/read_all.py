"""Generates pydantic classes from the schemas, reads each record into its class and writes what was set."""

import importlib
import pathlib
import sys

from datamodel_code_generator import DataModelType, InputFileType, generate

schemas, folder, written, records = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(folder))
lines = [line.split(" ", 1) for line in records.read_text().splitlines()]


def plain(schema):
    return schema.replace(".", "_").replace("-", "_").lower()


for schema in sorted({schema for schema, _ in lines}):
    generate(
        schemas / f"{schema}.schema.json",
        input_file_type=InputFileType.JsonSchema,
        output=folder / f"{plain(schema)}.py",
        output_model_type=DataModelType.PydanticV2BaseModel,
        class_name="Record",
    )

failures = []
for schema, path in lines:
    try:
        model = importlib.import_module(plain(schema)).Record
        record = model.model_validate_json(pathlib.Path(path).read_bytes())
        (written / pathlib.Path(path).name).write_text(record.model_dump_json(exclude_unset=True))
    except Exception as error:  # every record is tried
        failures.append(f"{path}: {error}")
sys.exit("\n".join(failures) or 0)
