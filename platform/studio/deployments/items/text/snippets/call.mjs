const texts = ["The first text to read.", "Another one."];
const response = await fetch("{{url}}", {
  method: "POST",
  headers: {
    Authorization: `Bearer ${process.env.MODELYARD_KEY}`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ texts }),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.detail);
answer.predictions.forEach((prediction, place) => {
  for (const annotation of prediction.annotations) {
    console.log({{javascript_fields}}, texts[place]);
  }
});
