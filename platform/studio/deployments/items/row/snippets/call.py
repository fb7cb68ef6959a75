import json, os, urllib.request

rows = [
{{rows}}
]
request = urllib.request.Request(
    "{{url}}",
    data=json.dumps({"rows": rows}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['MODELYARD_KEY']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
for prediction in answer["predictions"]:
    for annotation in prediction["annotations"]:
        print({{python_fields}})
