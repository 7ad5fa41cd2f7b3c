package keys

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"remora/ui/act"
)

// declaredLayers are the keys of the layers as declared.
func declaredLayers() map[string]map[string]act.Action {
	out := map[string]map[string]act.Action{}
	for i, g := range Layers {
		over := map[string]act.Action{}
		for _, key := range g.Keys {
			for _, name := range key.Names {
				over[name] = key.Act
			}
		}
		out[layerNames[i]] = over
	}
	return out
}

// in is what keys do while a layer lies over the screen.
func (k *Map) in(layer string) map[string]act.Action {
	switch layer {
	case "":
		return k.Does
	case act.InLine, act.InAnswers:
		return k.Over[layer]
	}
	out := maps.Clone(k.Does)
	maps.Copy(out, k.Over[layer])
	return out
}

// Line is what a key does while a line is typed in; None: it may be a character.
func (k *Map) Line(key string) act.Action { return k.Over[act.InLine][key] }

// Facets is what a key does in the facets beside what it does everywhere; None: nothing of its own.
func (k *Map) Facets(key string) act.Action { return k.Over[act.InFacets][key] }

// Answer is what a key does while a question is asked.
func (k *Map) Answer(key string) act.Action { return k.Over[act.InAnswers][key] }

// Sources is what a key does while a source is chosen.
func (k *Map) Sources(key string) act.Action {
	if does := k.Over[act.InSources][key]; does != act.None {
		return does
	}
	if does := k.Does[key]; slices.Contains(overSources, does) {
		return does
	}
	return act.None
}

// onlyOver tells whether a key's work is done in layers alone, so that it goes on doing what it does elsewhere.
func onlyOver(work string) bool {
	words := strings.Fields(work)
	return len(words) > 0 &&
		!slices.ContainsFunc(words, func(w string) bool { a := act.Named(w); return a == act.None || a.Layer() == "" })
}

// bindAll gives a key its work: actions of several layers stand beside each other, with spaces between.
func (k *Map) bindAll(keys, work string) error {
	words := strings.Fields(work)
	if len(words) < 2 || !slices.ContainsFunc(words, func(w string) bool { return act.Named(w) != act.None }) {
		return k.bind(keys, work)
	}
	taken := map[string]string{}
	for _, w := range words {
		a := act.Named(w)
		if a == act.None {
			return unknownAction(w)
		}
		if was := taken[a.Layer()]; was != "" {
			return fmt.Errorf("a key does one thing at a time: %s or %s", was, w)
		}
		taken[a.Layer()] = w
		if err := k.bindAction(keys, a); err != nil {
			return err
		}
	}
	return nil
}

// bindAction has a key do an action in the layer it belongs to.
func (k *Map) bindAction(keys string, does act.Action) error {
	layer := does.Layer()
	if layer == "" {
		k.Does[keys] = does
		if slices.Contains(overSources, does) {
			delete(k.Over[act.InSources], keys)
		}
		return nil
	}
	if strings.Contains(keys, " ") {
		return fmt.Errorf("%s takes a single key", does.Name())
	}
	if layer == act.InLine && writes(keys) {
		return fmt.Errorf("%s is a character that is typed; choose a key with Ctrl or Alt for %s", Label(keys), does.Name())
	}
	k.Over[layer][keys] = does
	return nil
}

// bindOver has a key do in the layers what another one does there, and tells whether that is anything.
func (k *Map) bindOver(keys, to string) bool {
	found := false
	for layer, over := range Standard.Over {
		does := over[to]
		if does == act.None {
			continue
		}
		found = true
		if !strings.Contains(keys, " ") && (layer != act.InLine || !writes(keys)) {
			k.Over[layer][keys] = does
		}
	}
	if slices.Contains(overSources, Standard.Does[to]) && Standard.Over[act.InSources][to] == act.None {
		delete(k.Over[act.InSources], keys)
	}
	return found
}

// writes tells whether a key is a character of a text.
func writes(key string) bool { return key == "space" || utf8.RuneCountInString(key) == 1 }

// typable tells whether a text can be ended both ways.
func (k *Map) typable() bool {
	have := map[act.Action]bool{}
	for _, does := range k.Over[act.InLine] {
		have[does] = true
	}
	return have[act.LineAccept] && have[act.LineCancel]
}

// answerable tells whether there is a way back from a question.
func (k *Map) answerable() bool {
	for _, does := range k.Over[act.InAnswers] {
		if does == act.AnswerNo {
			return true
		}
	}
	return false
}
