import { readFile } from "node:fs/promises";

const response = await fetch("{{url}}", {
  method: "POST",
  headers: {
    Authorization: `Bearer ${process.env.MODELYARD_KEY}`,
    "Content-Type": "application/octet-stream",
  },
  body: await readFile("picture.jpg"),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.detail);
for (const annotation of answer.predictions[0].annotations) {
  console.log({{javascript_fields}});
}
