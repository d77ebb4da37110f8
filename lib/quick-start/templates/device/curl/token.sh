field() { printf %s "$ANSWER" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }
ANSWER=$(curl -s '{{deviceAuthorizationUrl|shell}}' \
  -d client_id='{{clientId|shell}}' \
  -d scope='{{scope|shell}}')
DEVICE_CODE=$(field device_code)
INTERVAL=$(field interval)
echo "Open $(field verification_uri) and enter the code $(field user_code)"
while :; do
  sleep "$INTERVAL"
  ANSWER=$(curl -s '{{tokenUrl|shell}}' \
    -d grant_type={{deviceGrant}} \
    -d client_id='{{clientId|shell}}' \
    -d device_code="$DEVICE_CODE")
  case $(field error) in
    authorization_pending) ;;
    slow_down) INTERVAL=$((INTERVAL + 5)) ;;
    *) echo "$ANSWER" && break ;;
  esac
done
