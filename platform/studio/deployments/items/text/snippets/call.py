import json, os, urllib.request

texts = ["The first text to read.", "Another one."]
request = urllib.request.Request(
    "{{url}}",
    data=json.dumps({"texts": texts}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['MODELYARD_KEY']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
for text, prediction in zip(texts, answer["predictions"]):
    for annotation in prediction["annotations"]:
        print({{python_fields}}, text)
