{{- define "gondola.labels" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/part-of: gondola
{{- end }}

{{- define "gondola.migrationLabels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/part-of: gondola
app.kubernetes.io/component: migration
{{- end }}

{{- define "gondola.reachedPorts" -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
{{- with . }}
- ports:
    {{- range uniq . }}
    - { port: {{ . }} }
    {{- end }}
{{- end }}
{{- end }}

{{- define "gondola.fullname" -}}
{{ printf "%s-%s" .root.Release.Name .name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "gondola.image" -}}
{{- $image := .root.Values.image -}}
{{ with $image.registry }}{{ . }}/{{ end }}{{ .name }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{- define "gondola.env" -}}
{{- $root := .root -}}
{{- $env := merge (deepCopy .app.env) $root.Values.env }}
{{- $secrets := merge (deepCopy .app.secrets) $root.Values.secrets }}
- { name: HTTP_PORT, value: {{ .app.port | quote }} }
- { name: OPERATIONS_PORT, value: {{ .app.operationsPort | quote }} }
- { name: TENANTS_FILE, value: /etc/gondola/tenants/tenants.yaml }
{{- if and $root.Values.migrate.enabled (not .migrates) }}
- { name: MIGRATIONS, value: "off" }
{{- end }}
{{- if eq .name "webhook-ingest" }}
- { name: SPOOL_DIR, value: /var/lib/gondola/spool }
{{- end }}
{{- if eq .name "console" }}
{{- range $other, $app := omit $root.Values.apps "console" }}
- name: {{ printf "GONDOLA_%s_URL" ($other | upper | replace "-" "_") }}
  value: {{ printf "http://%s:%v" (include "gondola.fullname" (dict "root" $root "name" $other)) $app.operationsPort | quote }}
{{- end }}
{{- end }}
{{- range $name, $value := $env }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- range $name, $from := $secrets }}
- name: {{ $name }}
  valueFrom: { secretKeyRef: { name: {{ $from.name }}, key: {{ $from.key }} } }
{{- end }}
{{- end }}

{{- define "gondola.container" -}}
image: {{ include "gondola.image" . }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
{{- include "gondola.env" . | nindent 2 }}
volumeMounts:
  - { name: tenants, mountPath: /etc/gondola/tenants, readOnly: true }
  - { name: tmp, mountPath: /tmp }
{{- if .root.Values.tenants.files }}
  - { name: files, mountPath: /etc/gondola/secrets, readOnly: true }
{{- end }}
{{- with .app.volumeMounts }}
{{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "gondola.pod" -}}
automountServiceAccountToken: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: tenants
    secret: { secretName: {{ required "tenants.secret names the Secret with the tenants file" .root.Values.tenants.secret }} }
  - { name: tmp, emptyDir: { sizeLimit: {{ .app.tmp.size }} } }
{{- with .root.Values.tenants.files }}
  - name: files
    secret: { secretName: {{ . }} }
{{- end }}
{{- with .app.volumes }}
{{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
