curl -X POST "{{url}}" \
  -H "Authorization: Bearer $MODELYARD_KEY" \
  -H "Content-Type: application/octet-stream" \
  --data-binary @picture.jpg
