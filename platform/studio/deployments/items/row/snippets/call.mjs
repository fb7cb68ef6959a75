const rows = [
{{json_rows}}
];
const response = await fetch("{{url}}", {
  method: "POST",
  headers: {
    Authorization: `Bearer ${process.env.MODELYARD_KEY}`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ rows }),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.detail);
for (const prediction of answer.predictions) {
  for (const annotation of prediction.annotations) {
    console.log({{javascript_fields}});
  }
}
