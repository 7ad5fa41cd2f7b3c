package geoip

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"remora/dissect"
	"remora/internal/textfile"
)

// paths is the preference of the folders that hold databases; nil where no protocol declares it.
var paths *dissect.Preference

// Paths has a protocol declare the preference of the folders that hold databases.
func Paths(p *dissect.Protocol) *dissect.Preference {
	paths = p.Rows("maxmind_db_paths", "MaxMind Database Paths",
		"Folders of databases that tell where addresses are: files that end in .mmdb.", "Path").Loads(load)
	return paths
}

// A place is what is known of an address.
type place struct {
	city, country, iso, org string
	asn                     uint64
	lat, lon                float64 // where they are angles
}

// An atlas is all databases, and the places that were asked for.
type atlas struct {
	all  []*database
	mu   sync.Mutex
	seen map[netip.Addr]*place // nil: nothing is known
}

// Limits of databases.
const (
	maxFile  = 4 << 30
	maxFiles = 64
	maxSeen  = 1 << 14
)

// wiresharks is what the folders are called that Wireshark writes into its file by itself, be they there or not.
const wiresharks = "GeoIP"

func load(s dissect.Setting) (any, error) {
	a := &atlas{seen: map[netip.Addr]*place{}}
	for _, row := range s.Rows {
		entries, err := os.ReadDir(row[0])
		if errors.Is(err, fs.ErrNotExist) && filepath.Base(row[0]) == wiresharks {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !strings.EqualFold(filepath.Ext(e.Name()), ".mmdb") {
				continue
			}
			if len(a.all) == maxFiles {
				return nil, fmt.Errorf("there are more than %d databases", maxFiles)
			}
			db, err := openFile(filepath.Join(row[0], e.Name()))
			if err != nil {
				return nil, err
			}
			a.all = append(a.all, db)
		}
	}
	return a, nil
}

// openFile opens a database, which stays open as long as the program runs.
func openFile(path string) (*database, error) {
	f, err := textfile.Open(path, maxFile)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		var db *database
		if db, err = open(f, info.Size()); err == nil {
			return db, nil
		}
	}
	f.Close()
	return nil, fmt.Errorf("%s: %w", path, err)
}

// at is where an address is, nil where no database knows.
func (a *atlas) at(addr netip.Addr) *place {
	a.mu.Lock()
	p, known := a.seen[addr]
	a.mu.Unlock()
	if known {
		return p
	}
	for _, db := range a.all {
		if found := db.find(addr); found != nil {
			if p == nil {
				p = &place{lat: math.Inf(1), lon: math.Inf(1)}
			}
			p.take(found)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.seen) >= maxSeen {
		clear(a.seen)
	}
	a.seen[addr] = p
	return p
}

// take adds what one database says.
func (p *place) take(found map[string]any) {
	in := func(names ...string) any {
		v := any(found)
		for _, n := range names {
			m, _ := v.(map[string]any)
			v = m[n]
		}
		return v
	}
	text := func(to *string, names ...string) {
		if s, _ := in(names...).(string); s != "" {
			*to = s
		}
	}
	text(&p.city, "city", "names", "en")
	text(&p.country, "country", "names", "en")
	text(&p.iso, "country", "iso_code")
	text(&p.org, "autonomous_system_organization")
	if n, ok := in("autonomous_system_number").(uint64); ok {
		p.asn = n & math.MaxUint32
	}
	if x, ok := in("location", "latitude").(float64); ok {
		p.lat = x
	}
	if x, ok := in("location", "longitude").(float64); ok {
		p.lon = x
	}
}

// summary is the place in a few words.
func (p *place) summary() string {
	country, asn := p.iso, ""
	if country == "" {
		country = p.country
	}
	if p.asn > 0 {
		asn = fmt.Sprintf("ASN %d", p.asn)
	}
	var words []string
	for _, w := range []string{p.city, country, asn, p.org} {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, ", ")
}

// Fields are what a protocol says of the places of its addresses.
type Fields struct{ source, target, either side }

// A side is the fields of one address.
type side struct{ summary, country, iso, city, asn, org, lat, lon *dissect.Field }

// New declares the fields of a protocol.
func New(p *dissect.Protocol) *Fields {
	f := &Fields{either: newSide(p, "", "Source or Destination"), source: newSide(p, "src_", "Source"),
		target: newSide(p, "dst_", "Destination")}
	f.source.summary = p.String("geoip.src_summary", "Source GeoIP", "Where the sender is.").Derived()
	f.target.summary = p.String("geoip.dst_summary", "Destination GeoIP", "Where the receiver is.").Derived()
	return f
}

func newSide(p *dissect.Protocol, name, label string) side {
	name, label = "geoip."+name, label+" GeoIP "
	text := func(n, l, doc string) *dissect.Field { return p.String(name+n, label+l, doc).Derived() }
	angle := func(n, l string) *dissect.Field { return p.Float64(name+n, label+l, l+" in degrees.").Derived() }
	return side{country: text("country", "Country", "Name of the country."),
		iso:  text("country_iso", "ISO Two Letter Country Code", "Code of the country."),
		city: text("city", "City", "Name of the city."),
		asn:  p.Uint32(name+"asnum", label+"AS Number", "Number of the autonomous system.").Derived(),
		org:  text("org", "AS Organization", "Whose autonomous system it is."),
		lat:  angle("lat", "Latitude"), lon: angle("lon", "Longitude")}
}

// Tell says where sender and receiver are, whose addresses of n bytes stand at from and behind it.
func (f *Fields) Tell(d *dissect.D, src, dst dissect.Addr, from, n int) {
	if paths == nil {
		return
	}
	a, _ := paths.Loaded(d).(*atlas)
	if a == nil {
		return
	}
	f.tell(d, &f.source, a.at(src.Netip()), from, n)
	f.tell(d, &f.target, a.at(dst.Netip()), from+n, n)
}

func (f *Fields) tell(d *dissect.D, s *side, p *place, at, n int) {
	if p == nil {
		return
	}
	d.PutText(s.summary, p.summary(), at, n)
	d.Below(func() {
		text := func(one, either *dissect.Field, text string) {
			if text != "" {
				d.PutText(one, text, at, n)
				d.PutText(either, text, at, n)
			}
		}
		angle := func(one, either *dissect.Field, x, most float64) {
			if math.Abs(x) <= most {
				d.Put(one, dissect.Float64(x), at, n)
				d.Put(either, dissect.Float64(x), at, n)
			}
		}
		e := &f.either
		text(s.city, e.city, p.city)
		text(s.country, e.country, p.country)
		text(s.iso, e.iso, p.iso)
		if p.asn > 0 {
			d.Put(s.asn, p.asn, at, n)
			d.Put(e.asn, p.asn, at, n)
		}
		text(s.org, e.org, p.org)
		angle(s.lat, e.lat, p.lat, 90)
		angle(s.lon, e.lon, p.lon, 180)
	})
}
