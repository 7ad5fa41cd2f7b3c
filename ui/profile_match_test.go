package ui

import "testing"

// profilesFor is a source with a profile for each filter.
func profilesFor(rules ...ProfileRule) Source {
	return Source{
		Load: func(profile string) (Settings, error) {
			return Settings{TimeFormat: "r", ASCII: profile == "games"}, nil
		},
		Rules: func() []ProfileRule { return rules },
	}
}

var (
	forGames = ProfileRule{"games", "touhou"}
	forMail  = ProfileRule{"a-mail", "smtp"}
	forWrong = ProfileRule{"b-wrong", "no.such.field == 1"}
)

func TestProfileByWhatIsHeard(t *testing.T) {
	x := open(t, 120, 36, Config{Source: profilesFor(forMail, forWrong, forGames)})
	if x.m.cfg.Profile != "games" || !x.m.style.ASCII {
		t.Fatalf("the profile is %q", x.m.cfg.Profile)
	}
	x.has("profile games, as touhou matches packets; :profile none leaves it")
	x.keys(":profile none<enter>")
	x.settle()
	if x.m.cfg.Profile != "" {
		t.Error("a profile that was left comes back")
	}
}

func TestNoProfileForWhatIsNotHeard(t *testing.T) {
	for _, src := range []Source{profilesFor(), profilesFor(forMail, forWrong)} {
		x := open(t, 120, 36, Config{Source: src})
		if x.m.cfg.Profile != "" || x.m.foot.Notice != "" || x.m.moving() {
			t.Errorf("profile %q, %q, moving: %v", x.m.cfg.Profile, x.m.foot.Notice, x.m.moving())
		}
	}
}

func TestProfileOfOnesOwnStays(t *testing.T) {
	x := open(t, 120, 36, Config{Source: profilesFor(forGames), Profile: "work"})
	if x.m.cfg.Profile != "work" {
		t.Errorf("the profile is %q", x.m.cfg.Profile)
	}
}

// TestProfileIsOffered changes nothing below the hands of somebody who works.
func TestProfileIsOffered(t *testing.T) {
	x := open(t, 120, 36, Config{})
	x.m.cfg.Source = profilesFor(forGames)
	x.m.profile.watch = profileWatch{store: x.m.packets.Store}
	x.keys("j")
	x.settle()
	x.has("touhou matches packets here: :profile games takes the settings for it")
	if x.m.cfg.Profile != "" {
		t.Errorf("the profile is %q", x.m.cfg.Profile)
	}
	x.keys("k")
	x.hasNot("matches packets")
	x.keys(":profile games<enter>")
	x.has("profile games")
}
