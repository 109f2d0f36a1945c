{{- define "asiento.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "asiento.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "asiento.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "asiento.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The name of a component's objects: (dict "root" . "component" "ledger") */}}
{{- define "asiento.componentName" -}}
{{- printf "%s-%s" (include "asiento.fullname" .root) .component | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* What never changes: a selector is immutable, so no version in it. */}}
{{- define "asiento.selectorLabels" -}}
app.kubernetes.io/name: {{ include "asiento.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "asiento.labels" -}}
{{ include "asiento.selectorLabels" . }}
app.kubernetes.io/part-of: asiento
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "asiento.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "asiento.services" -}}
gateway identity extraction facturae risk ledger notifications
{{- end -}}

{{- define "asiento.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "asiento.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "asiento.secretName" -}}
{{- default (printf "%s-secrets" (include "asiento.fullname" .)) .Values.secrets.existingSecret -}}
{{- end -}}

{{- define "asiento.secretEnv" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key }} } }
{{- end -}}

{{/* Variables that every process has: stores, secrets, and where the others are. */}}
{{- define "asiento.env" -}}
{{- $own := printf "%s-secrets" (include "asiento.fullname" .) }}
{{ include "asiento.secretEnv" (dict "name" "DATABASE_URL" "secret" (default $own .Values.postgresql.existingSecret) "key" (ternary "url" "DATABASE_URL" (ne .Values.postgresql.existingSecret ""))) }}
{{ include "asiento.secretEnv" (dict "name" "REDIS_URL" "secret" (default $own .Values.redis.existingSecret) "key" (ternary "url" "REDIS_URL" (ne .Values.redis.existingSecret ""))) }}
{{ include "asiento.secretEnv" (dict "name" "S3_ACCESS_KEY_ID" "secret" (default $own .Values.objects.existingSecret) "key" (ternary "accessKeyId" "S3_ACCESS_KEY_ID" (ne .Values.objects.existingSecret ""))) }}
{{ include "asiento.secretEnv" (dict "name" "S3_SECRET_ACCESS_KEY" "secret" (default $own .Values.objects.existingSecret) "key" (ternary "secretAccessKey" "S3_SECRET_ACCESS_KEY" (ne .Values.objects.existingSecret ""))) }}
{{- with .Values.kafka.sasl.existingSecret }}
{{ include "asiento.secretEnv" (dict "name" "KAFKA_SASL_USERNAME" "secret" . "key" "username") }}
{{ include "asiento.secretEnv" (dict "name" "KAFKA_SASL_PASSWORD" "secret" . "key" "password") }}
{{- end }}
{{- end -}}
