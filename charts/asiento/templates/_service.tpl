{{/* Everything of one service: (dict "root" $ "component" "ledger" "values" <merged values>) */}}
{{- define "asiento.service" -}}
{{- $root := .root -}}
{{- $values := .values -}}
{{- $name := include "asiento.componentName" . -}}
{{- $gateway := eq .component "gateway" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  labels: {{- include "asiento.labels" . | nindent 4 }}
automountServiceAccountToken: false
---
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}
  labels: {{- include "asiento.labels" . | nindent 4 }}
  {{- if $gateway }}
  {{- with $root.Values.service.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
spec:
  type: {{ ternary $root.Values.service.type "ClusterIP" $gateway }}
  selector: {{- include "asiento.selectorLabels" . | nindent 4 }}
  ports:
    {{- if $gateway }}
    - { name: http, port: {{ $root.Values.service.port }}, targetPort: http, protocol: TCP }
    {{- else }}
    - { name: rpc, port: 8081, targetPort: rpc, protocol: TCP }
    {{- end }}
    - { name: probes, port: 9090, targetPort: probes, protocol: TCP }
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels: {{- include "asiento.labels" . | nindent 4 }}
spec:
  {{- if not (or $values.autoscaling.enabled $values.keda.enabled) }}
  replicas: {{ $values.replicas }}
  {{- end }}
  selector:
    matchLabels: {{- include "asiento.selectorLabels" . | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels: {{- include "asiento.labels" . | nindent 8 }}
      annotations:
        checksum/config: {{ include (print $root.Template.BasePath "/config.yaml") $root | sha256sum }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ $name }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      {{- with $root.Values.image.pullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext: {{- include "asiento.podSecurity" $root | nindent 8 }}
      topologySpreadConstraints:
        {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "asiento.selectorLabels" $ | nindent 14 }}
          matchLabelKeys: [pod-template-hash]
        {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "asiento.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          command: [/nodejs/bin/node]
          args:
            - --max-old-space-size={{ $values.heapMb }}
            - {{ ternary "gateway/src/main.ts" (printf "services/%s/src/main.ts" .component) $gateway }}
          envFrom:
            - configMapRef: { name: {{ include "asiento.fullname" $root }}-config }
            - secretRef: { name: {{ include "asiento.secretName" $root }} }
          env:
            {{- include "asiento.env" $root | nindent 12 }}
            {{- range $key, $value := $values.env }}
            - { name: {{ $key }}, value: {{ $value | quote }} }
            {{- end }}
          ports:
            {{- if $gateway }}
            - { name: http, containerPort: 8080 }
            {{- else }}
            - { name: rpc, containerPort: 8081 }
            {{- end }}
            - { name: probes, containerPort: 9090 }
          startupProbe:
            httpGet: { path: /livez, port: probes }
            periodSeconds: 2
            failureThreshold: 30
          livenessProbe:
            httpGet: { path: /livez, port: probes }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: probes }
            periodSeconds: 5
            timeoutSeconds: 3
          {{- if $gateway }}
          # The endpoint leaves the balancers before the process stops accepting.
          lifecycle: { preStop: { sleep: { seconds: 5 } } }
          {{- end }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- include "asiento.containerSecurity" $root | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: {{ $values.tmpSize }} }
{{- if or $values.autoscaling.enabled $values.keda.enabled (gt (int $values.replicas) 1) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{- include "asiento.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "asiento.selectorLabels" . | nindent 6 }}
{{- end }}
{{- if $values.autoscaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels: {{- include "asiento.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $name }} }
  minReplicas: {{ $values.autoscaling.minReplicas }}
  maxReplicas: {{ $values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ $values.autoscaling.targetCPUUtilizationPercentage }} }
  behavior:
    scaleDown: { stabilizationWindowSeconds: 300 }
{{- end }}
{{- if and $values.keda.enabled ($root.Capabilities.APIVersions.Has "keda.sh/v1alpha1") }}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ $name }}
  labels: {{- include "asiento.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { name: {{ $name }} }
  minReplicaCount: {{ $values.keda.minReplicas }}
  maxReplicaCount: {{ $values.keda.maxReplicas }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        scaleDown: { stabilizationWindowSeconds: 300 }
  triggers:
    - type: kafka
      metadata:
        bootstrapServers: {{ $root.Values.kafka.brokers }}
        consumerGroup: asiento.{{ $values.keda.consumerGroup }}
        topic: {{ $values.keda.topic }}
        lagThreshold: {{ $values.keda.lagThreshold | quote }}
{{- end }}
{{- end -}}
