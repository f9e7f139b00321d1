// Package deploy_test holds the manifests to the programs: what they say must parse, fit together, and stay within the bounds
// that a program which needs nothing deserves.
package deploy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// object is the part of a manifest that is looked at.
type object struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct {
		Name   string
		Labels map[string]string
	}
	Spec struct {
		Replicas    int
		Strategy    struct{ Type string }
		Selector    any
		Template    template
		JobTemplate struct {
			Spec struct {
				BackoffLimit *int `yaml:"backoffLimit"`
				Template     template
			}
		} `yaml:"jobTemplate"`
		Ports []struct {
			Name       string
			Port       int
			TargetPort string `yaml:"targetPort"`
		}
	}
}

type template struct {
	Metadata struct{ Labels map[string]string }
	Spec     pod
}

type pod struct {
	RestartPolicy   string `yaml:"restartPolicy"`
	Automount       *bool  `yaml:"automountServiceAccountToken"`
	SecurityContext struct {
		RunAsNonRoot   bool                  `yaml:"runAsNonRoot"`
		RunAsUser      int                   `yaml:"runAsUser"`
		FSGroup        int                   `yaml:"fsGroup"`
		SeccompProfile struct{ Type string } `yaml:"seccompProfile"`
	} `yaml:"securityContext"`
	Containers []container
	Volumes    []struct {
		Name   string
		Secret struct {
			SecretName string `yaml:"secretName"`
		}
		Claim struct {
			Name string `yaml:"claimName"`
		} `yaml:"persistentVolumeClaim"`
	}
}

type container struct {
	Name    string
	Image   string
	Command []string
	Args    []string
	Env     []any
	EnvFrom []any `yaml:"envFrom"`
	Ports   []struct {
		Name string
		Port int `yaml:"containerPort"`
	}
	ReadinessProbe  probe `yaml:"readinessProbe"`
	LivenessProbe   probe `yaml:"livenessProbe"`
	Resources       struct{ Limits map[string]string }
	SecurityContext struct {
		Escalation   *bool `yaml:"allowPrivilegeEscalation"`
		ReadOnlyRoot bool  `yaml:"readOnlyRootFilesystem"`
		Capabilities struct{ Drop []string }
	} `yaml:"securityContext"`
	VolumeMounts []struct {
		Name     string
		Path     string `yaml:"mountPath"`
		ReadOnly bool   `yaml:"readOnly"`
	} `yaml:"volumeMounts"`
}

type probe struct {
	TCPSocket struct{ Port string } `yaml:"tcpSocket"`
}

func read(t *testing.T, name string) string {
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(b)
}

func parse(text string) (all []object, err error) {
	for d := yaml.NewDecoder(strings.NewReader(text)); ; {
		var o object
		err := d.Decode(&o)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
}

// template is the pod that an object makes, if it makes one.
func (o *object) template() *template {
	switch o.Kind {
	case "Deployment":
		return &o.Spec.Template
	case "CronJob":
		return &o.Spec.JobTemplate.Spec.Template
	}
	return nil
}

// faults are what is wrong with a file of manifests.
func faults(text string) (all []string) {
	objects, err := parse(text)
	if err != nil {
		return []string{err.Error()}
	}
	no := func(ok bool, o *object, what string) {
		if !ok {
			all = append(all, o.Kind+" "+o.Metadata.Name+": "+what)
		}
	}
	for i := range objects {
		o := &objects[i]
		no(o.APIVersion != "" && o.Kind != "" && o.Metadata.Name != "", o, "has no kind or no name")
		no(o.Metadata.Labels["app.kubernetes.io/part-of"] == "ticketing", o, "is labelled as no part")
		if t := o.template(); t != nil {
			no(t.Metadata.Labels["app.kubernetes.io/part-of"] == "ticketing", o, "makes pods that are labelled as no part")
			for _, f := range t.Spec.faults() {
				no(false, o, f)
			}
		}
		switch o.Kind {
		case "Deployment":
			no(o.Spec.Replicas == 1 && o.Spec.Strategy.Type == "Recreate", o, "may run twice at once")
		case "CronJob":
			limit := o.Spec.JobTemplate.Spec.BackoffLimit
			no(limit != nil && *limit == 0 && o.template().Spec.RestartPolicy == "Never", o, "runs again after it failed")
		}
	}
	return all
}

// faults are where a pod, which needs nothing, may more than nothing.
func (p *pod) faults() (all []string) {
	no := func(ok bool, what string) {
		if !ok {
			all = append(all, what)
		}
	}
	s := &p.SecurityContext
	no(s.RunAsNonRoot && s.RunAsUser > 0 && s.FSGroup > 0, "may be root")
	no(s.SeccompProfile.Type == "RuntimeDefault", "has no seccomp profile")
	no(p.Automount != nil && !*p.Automount, "has a service account token")
	no(len(p.Containers) == 1, "has not one container")
	volumes := map[string]bool{} // by name: is it a secret
	for _, v := range p.Volumes {
		volumes[v.Name] = v.Secret.SecretName != ""
		no(v.Secret.SecretName != "" || v.Claim.Name != "", "volume "+v.Name+" is neither a secret nor a claim")
	}
	for i := range p.Containers {
		c := &p.Containers[i]
		no(c.SecurityContext.Escalation != nil && !*c.SecurityContext.Escalation, "may escalate")
		no(c.SecurityContext.ReadOnlyRoot, "may write to its root")
		no(slices.Equal(c.SecurityContext.Capabilities.Drop, []string{"ALL"}), "has capabilities")
		no(c.Resources.Limits["cpu"] != "" && c.Resources.Limits["memory"] != "", "has no limits")
		no(len(c.Env)+len(c.EnvFrom) == 0, "has an environment, which is no place for a credential")
		for _, m := range c.VolumeMounts {
			secret, ok := volumes[m.Name]
			no(ok, "mounts "+m.Name+", which is no volume")
			no(!secret || m.ReadOnly, "may write to its secret")
		}
	}
	return all
}

var files = []string{"ticketd.yaml", "ticketsim.yaml"}

func TestManifestsMayNothing(t *testing.T) {
	for _, f := range files {
		require.Empty(t, faults(read(t, f)), f)
	}
}

// TestFaultsAreSeen takes away each thing that TestManifestsMayNothing is about.
func TestFaultsAreSeen(t *testing.T) {
	for _, c := range []struct{ file, old, new, want string }{
		{"ticketd.yaml", "kind: Service\n", "kind: {}\n", "cannot unmarshal"},
		{"ticketd.yaml", "kind: Service\n", "", "has no kind"},
		{"ticketd.yaml", "replicas: 1", "replicas: 2", "may run twice"},
		{"ticketd.yaml", "{type: Recreate}", "{type: RollingUpdate}", "may run twice"},
		{"ticketd.yaml", "runAsNonRoot: true", "runAsNonRoot: false", "may be root"},
		{"ticketd.yaml", "runAsUser: 65532", "runAsUser: 0", "may be root"},
		{"ticketd.yaml", "seccompProfile: {type: RuntimeDefault}", "seccompProfile: {type: Unconfined}", "seccomp"},
		{"ticketd.yaml", "automountServiceAccountToken: false", "", "token"},
		{"ticketd.yaml", "allowPrivilegeEscalation: false", "allowPrivilegeEscalation: true", "may escalate"},
		{"ticketd.yaml", "readOnlyRootFilesystem: true", "", "may write to its root"},
		{"ticketd.yaml", "drop: [ALL]", "drop: [CHOWN]", "has capabilities"},
		{"ticketd.yaml", "limits: {cpu: \"2\", memory: 256Mi}", "limits: {cpu: \"2\"}", "has no limits"},
		{"ticketd.yaml", "stdin: true", "env: [{name: TICKETD_CREDENTIAL, value: secret}]", "environment"},
		{"ticketd.yaml", "{name: credential, mountPath: /etc/ticketing, readOnly: true}", "{name: credential, mountPath: /etc/ticketing}", "write to its secret"},
		{"ticketd.yaml", "- {name: credential, mountPath", "- {name: other, mountPath", "which is no volume"},
		{"ticketd.yaml", "secret: {secretName: ticketd-credential, defaultMode: 0440}", "hostPath: {path: /etc}", "neither a secret nor a claim"},
		{"ticketsim.yaml", "backoffLimit: 0", "backoffLimit: 3", "runs again"},
		{"ticketsim.yaml", "restartPolicy: Never", "restartPolicy: OnFailure", "runs again"},
		{"ticketsim.yaml", ", app.kubernetes.io/part-of: ticketing", "", "no part"},
	} {
		text := read(t, c.file)
		require.Contains(t, text, c.old)
		require.Contains(t, strings.Join(faults(strings.Replace(text, c.old, c.new, 1)), "\n"), c.want, c.old)
	}
}

func arg(t *testing.T, args []string, flag string) string {
	for _, a := range args {
		if v, ok := strings.CutPrefix(a, "--"+flag+"="); ok {
			return v
		}
	}
	t.Fatalf("no --%s in %v", flag, args)
	return ""
}

// pods are those of both files, by the name of what makes them.
func pods(t *testing.T) map[string]*pod {
	all := map[string]*pod{}
	for _, f := range files {
		objects, err := parse(read(t, f))
		require.NoError(t, err)
		for i := range objects {
			if p := objects[i].template(); p != nil {
				all[objects[i].Metadata.Name] = &p.Spec
			}
		}
	}
	return all
}

// TestManifestsFit: who names a port, a node, a secret or an image means one that is there.
func TestManifestsFit(t *testing.T) {
	objects, err := parse(read(t, "ticketd.yaml"))
	require.NoError(t, err)
	all := pods(t)
	server := &all["ticketd"].Containers[0]
	var listens, names, ports []string
	for _, p := range server.Ports {
		listens = append(listens, fmt.Sprintf("0.0.0.0:%d", p.Port))
		ports = append(ports, fmt.Sprint(p.Port))
	}
	require.Equal(t, strings.Join(listens, ","), arg(t, server.Args, "listen"))
	require.Equal(t, server.Ports[0].Name, server.ReadinessProbe.TCPSocket.Port)
	require.Equal(t, server.Ports[0].Name, server.LivenessProbe.TCPSocket.Port)
	for i := range objects {
		o := &objects[i]
		if o.Kind != "Service" {
			continue
		}
		require.Equal(t, map[string]any{"app.kubernetes.io/name": "ticketd"}, o.Spec.Selector)
		for k, p := range o.Spec.Ports {
			require.Equal(t, server.Ports[k].Name, p.TargetPort)
			names = append(names, fmt.Sprintf("%s:%d", o.Metadata.Name, p.Port))
		}
	}
	require.Equal(t, strings.Join(names, ","), arg(t, server.Args, "advertise"))
	require.Equal(t, arg(t, server.Args, "advertise"), arg(t, argsOf(t, &all["ticketsim-live"].Containers[0]), "addr"))
	require.Contains(t, read(t, "Containerfile"), "EXPOSE "+strings.Join(ports, " ")+"\n")
	for name, p := range all {
		c := &p.Containers[0]
		require.Regexp(t, `(?m)^FROM \S+ AS `+c.Name+`$`, read(t, "Containerfile"))
		require.Equal(t, "ticketing/"+c.Name+":dev", c.Image)
		for _, v := range p.Volumes {
			if v.Secret.SecretName == "" {
				continue
			}
			require.Equal(t, "ticketd-credential", v.Secret.SecretName)
			require.Equal(t, "/etc/ticketing/credential", arg(t, argsOf(t, c), "credential-file"), name)
		}
	}
}

// TestContainerfile: it builds from what is there, with the Go that the module asks for, for a user that is not root.
func TestContainerfile(t *testing.T) {
	text := read(t, "Containerfile")
	module := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "../../go.mod"))
	require.Contains(t, text, "/golang:"+module[1]+" AS build\n")
	for _, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "COPY" || strings.HasPrefix(words[1], "--") {
			continue
		}
		for _, path := range words[1 : len(words)-1] {
			_, err := os.Stat(filepath.Join("../..", path))
			require.NoError(t, err)
		}
	}
	for _, stage := range strings.Split(text, "FROM ")[2:] {
		require.Contains(t, stage, "USER 65532:65532\n")
	}
}

// TestArguments hands the programs, as they are now, what the manifests say.
func TestArguments(t *testing.T) {
	dir := t.TempDir()
	build := exec.Command("go", "build", "-buildvcs=false", "-o", dir+"/", "../ticketd", "../ticketsim")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for name, p := range pods(t) {
		c := &p.Containers[0]
		args := argsOf(t, c)
		// Help is only given for flags and values that there are.
		help := func(args []string) (string, error) {
			out, err := exec.Command(filepath.Join(dir, c.Name), append(args, "--help")...).CombinedOutput()
			return string(out), err
		}
		out, err := help(args)
		require.NoError(t, err, "%s: %s", name, out)
		out, err = help(append(args, "--no-such-flag"))
		require.Error(t, err, "%s: %s", name, out)
	}
}

// argsOf are the arguments that a program gets. Where a script says them, it runs, with another program in the place of
// ticketsim. What it writes and which seeds it takes is named after the day.
func argsOf(t *testing.T, c *container) []string {
	command := c.Command
	if command == nil {
		return c.Args
	}
	require.Equal(t, []string{"/bin/sh", "-euc"}, command[:2])
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ticketsim"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o700))
	sh := exec.Command(command[0], command[1:]...)
	sh.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "HOSTNAME=pod"}
	out, err := sh.Output()
	require.NoError(t, err)
	args := strings.Split(strings.TrimSpace(string(bytes.TrimSpace(out))), "\n")
	require.Regexp(t, `^/findings/20\d{6}-pod$`, args[slices.Index(args, "--out")+1])
	if i := slices.Index(args, "--seeds"); i >= 0 {
		require.Regexp(t, `^20\d{6}0{10}\.\.20\d{6}9{10}$`, args[i+1])
	}
	return args
}
