{{/* What the schema cannot say. */}}
{{- define "asiento.validate" -}}
{{- range $component := splitList " " (include "asiento.services" .) }}
{{- $values := mergeOverwrite (deepCopy $.Values.defaults) (index $.Values.services $component | default dict) }}
{{- if and $values.autoscaling.enabled $values.keda.enabled }}
{{- fail (printf "[ERROR] services.%s: autoscaling and keda cannot both be enabled" $component) }}
{{- end }}
{{- if $values.keda.enabled }}
{{- if not (and $values.keda.consumerGroup $values.keda.topic) }}
{{- fail (printf "[ERROR] services.%s.keda: consumerGroup and topic are required" $component) }}
{{- end }}
{{- if gt (int $values.keda.maxReplicas) (int $.Values.kafka.partitions) }}
{{- fail (printf "[ERROR] services.%s.keda.maxReplicas is above kafka.partitions: the rest would idle" $component) }}
{{- end }}
{{- end }}
{{- end }}
{{- if not (or .Values.postgresql.existingSecret .Values.postgresql.url) }}
{{- fail "[ERROR] postgresql.existingSecret or postgresql.url is required" }}
{{- end }}
{{- if not (or .Values.redis.existingSecret .Values.redis.url) }}
{{- fail "[ERROR] redis.existingSecret or redis.url is required" }}
{{- end }}
{{- if not .Values.objects.endpoint }}
{{- fail "[ERROR] objects.endpoint is required: services in different pods share no files" }}
{{- end }}
{{- end -}}
