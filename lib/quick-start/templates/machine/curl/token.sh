curl '{{tokenUrl|shell}}' \
  -u '{{clientId|shell}}':"$CLIENT_SECRET" \
  -d grant_type=client_credentials \
  -d scope='{{scope|shell}}'
