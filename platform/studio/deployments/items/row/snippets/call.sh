curl -X POST "{{url}}" \
  -H "Authorization: Bearer $MODELYARD_KEY" \
  -H "Content-Type: application/json" \
  -d {{request}}
