import json, os, urllib.request

with open("picture.jpg", "rb") as file:
    picture = file.read()
request = urllib.request.Request(
    "{{url}}",
    data=picture,
    headers={
        "Authorization": f"Bearer {os.environ['MODELYARD_KEY']}",
        "Content-Type": "application/octet-stream",
    },
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
for annotation in answer["predictions"][0]["annotations"]:
    print({{python_fields}})
